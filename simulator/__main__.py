"""``python -m simulator observe FILE… [--json | --recording]``: run programs on the model."""

import gc
import os
import sys

if __name__ == "__main__":
    # Importing makes no garbage, and a process that is over need not take its
    # memory apart: together that would be a third of the time.
    gc.disable()
    from simulator.command_line import main, print_anything

    print_anything()
    try:
        status = main()
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:  # whoever read this has read enough
        status = 141
    except OSError as error:
        print(f"standard output: {error.strerror}", file=sys.stderr)
        status = 2
    os._exit(status)
