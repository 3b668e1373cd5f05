"""The real-JAX side: observe, compare, golden recordings, introspection."""

from __future__ import annotations

import argparse
import json
import pathlib
import signal
import sys

from simulator.command_line import print_anything
from simulator.errors import OutOfScope
from simulator.recordings.recording import Recording
from simulator.recordings.records import records, table
from simulator.running import reading


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    parser = _parser()
    arguments, given = _split(sys.argv[1:] if arguments is None else arguments)
    options = parser.parse_args(arguments)
    options.arguments = given
    if options.run is _compare and not (options.files or options.kept):
        parser.error("compare needs a FILE, or --kept")
    if options.run is _observe:
        if options.output and len(options.files) > 1:
            parser.error("-o takes what one FILE gives")
        if (options.module is None) == (not options.files):
            parser.error("observe needs a FILE, or -m MODULE")
        if options.module is not None and (options.json or options.full):
            parser.error("a module is run as it is: -m MODULE [--recording] [-o FILE] [-- ARGUMENTS]")
    if given is not None and (options.run is not _observe or len(options.files) > 1
                              or options.json or options.full):
        parser.error("arguments after -- go to the one program of observe FILE [--recording]")
    try:
        return options.run(options)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


def _as_interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _split(arguments: list[str]) -> tuple[list[str], list[str] | None]:
    """Our arguments, and those of the program after ``--``: None when there is no ``--``."""
    if "--" not in arguments:
        return arguments, None
    place = arguments.index("--")
    return arguments[:place], arguments[place + 1:]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m simulator.live", description=__doc__)
    commands = parser.add_subparsers(required=True)

    observe = commands.add_parser("observe", help="run programs on real JAX and print what the "
                                  "caches did")
    observe.add_argument("files", nargs="*", metavar="FILE")
    observe.add_argument("-m", dest="module", metavar="MODULE", help="run this module as it is, "
                         "as python -m MODULE does; its arguments follow --")
    form = observe.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON list of records per file")
    form.add_argument("--recording", action="store_true", help="one Recording per file; an "
                      "ordinary program is run as it is: observe FILE --recording -- ARGUMENTS")
    observe.add_argument("-o", "--output", type=pathlib.Path, help="write there, and leave "
                         "standard output to the program")
    observe.add_argument("--full", action="store_true", help="every event of every call, in a "
                         "clean environment, for ordinary programs too")
    observe.add_argument("--signatures", action="store_true", help="ordinary programs: let "
                         "jaxlib print every key; slower, but sees calls made by C code")
    observe.add_argument("--timeout", type=float, default=600, help="seconds per process")
    observe.set_defaults(run=_observe)

    compare = commands.add_parser("compare", help="run programs on the model and on real JAX")
    compare.add_argument("files", nargs="*", metavar="FILE")
    compare.add_argument("--kept", action="store_true", help="against tests/golden, without "
                         "running JAX; FILE is then a name, and all are compared if none is given")
    compare.add_argument("--events", action="store_true", help="compare event by event too")
    compare.add_argument("--keys", action="store_true", help="compare keys field by field too")
    compare.set_defaults(run=_compare)

    golden = commands.add_parser("golden", help="record tests/golden again")
    golden.add_argument("names", nargs="*", metavar="NAME", help="programs; all of them if none")
    golden.add_argument("--check", action="store_true", help="compare only, write nothing")
    golden.add_argument("--cases", type=pathlib.Path, help="folder with further programs to keep")
    golden.set_defaults(run=_golden)

    histories = commands.add_parser("histories", help="draw random histories of changes and "
                                    "compare the model with real JAX on each")
    histories.add_argument("--count", type=int, default=300, help="how many (default 300)")
    histories.add_argument("--seed", type=int, default=1, help="of the series (default 1)")
    histories.add_argument("--link", help="compare this one history: v=1&do=...")
    histories.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    histories.add_argument("--no-shrink", action="store_true", help="do not cut down what differs")
    histories.set_defaults(run=_histories)

    programs = commands.add_parser("programs", help="draw random programs and compare the "
                                   "model with real JAX on each, keys included")
    programs.add_argument("--count", type=int, default=200, help="how many (default 200)")
    programs.add_argument("--seed", type=int, default=1, help="of the series (default 1)")
    programs.add_argument("--first", type=int, default=0, help="number of the first (default 0)")
    programs.add_argument("--number", type=int, help="compare and show this one")
    programs.add_argument("--workers", type=int, default=1, help="processes (default 1)")
    programs.add_argument("--no-shrink", action="store_true", help="do not cut down what differs")
    programs.add_argument("--summary", action="store_true", help="keep the counts in simulator/data, "
                          "and run only what is not counted there yet")
    programs.add_argument("--save", type=pathlib.Path, help="folder for what differs, cut down")
    programs.add_argument("--real", type=pathlib.Path, help="folder for what real JAX did, which "
                          "is not run again where it is there")
    programs.set_defaults(run=_programs)

    introspect = commands.add_parser("introspect", help="write the facts in simulator/data")
    introspect.set_defaults(run=_introspect)
    return parser


def _observe(options) -> int:
    from simulator.live.observe import ProgramFailed, observe
    if _as_it_is(options):
        return _own(options)
    status = 0
    for file in options.files:
        try:
            _write(options, observe(file, timeout=options.timeout))
        except ProgramFailed as failed:
            _write(options, failed.recording)
            print(failed, file=sys.stderr)
            if failed.interrupted:
                return 130
            status = max(status, 1)
        except OutOfScope as refused:
            print(refused, file=sys.stderr)
            status = max(status, 3)
        except OSError as error:
            print(_unusable(file, error), file=sys.stderr)
            status = max(status, 2)
    return status


def _write(options, found: Recording) -> None:
    if options.recording:
        text = found.to_json()
    elif options.json:
        text = json.dumps(records(found), ensure_ascii=False)
    else:
        text = f"## {found.program['name']}\n{table(records(found))}"
    if options.output:
        options.output.write_text(text + "\n", encoding="utf-8", errors="backslashreplace")
    else:
        print(text, flush=True)


def _unusable(file: str, error: OSError) -> str:
    return f"{error.filename or file}: {error.strerror or error}"


def _as_it_is(options) -> bool:
    """Whether the program is to be run as it is: it has arguments, or is an ordinary one."""
    from simulator.live import own_run
    if options.arguments is not None or options.module is not None:
        return True
    if not options.recording or options.full or len(options.files) != 1:
        return False
    try:
        text = reading.shown(pathlib.Path(options.files[0]).read_bytes())
    except OSError:
        return False
    return own_run.ordinary(text)


def _own(options) -> int:
    from simulator.live import own_run
    module = options.module
    program = own_run.module_file(module) if module else options.files[0]
    if program is None:
        print(f"No module named {module} that can be run, or its source is not there.",
              file=sys.stderr)
        return 1
    try:
        text = reading.shown(pathlib.Path(program).read_bytes())
        if not module and not own_run.ordinary(text):
            print(f"{program} is written for this project: it marks its calls, or has header "
                  "lines. Such programs take no arguments: leave out what follows --.",
                  file=sys.stderr)
            return 2
        if options.output:
            with options.output.open("w", encoding="utf-8") as file:
                status = own_run.record(program, options.arguments or [], file.write,
                                        options.signatures, module=module)
            print(_about(options.output), file=sys.stderr)
        elif options.recording:
            status = own_run.record(program, options.arguments or [], sys.stdout.write,
                                    options.signatures, output=sys.stderr, module=module)
        else:
            pieces: list[str] = []
            status = own_run.record(program, options.arguments or [], pieces.append,
                                    options.signatures, module=module)
            found = Recording.from_json("".join(pieces))
            print(table(records(found)))
    except OSError as error:       # one without a name comes of writing
        print(_unusable(options.output or "standard output", error), file=sys.stderr)
        return 2
    return status


def _about(path: pathlib.Path) -> str:
    """What was recorded, in a line: only the first line of the file is read."""
    with path.open(encoding="utf-8") as file:
        run = json.loads(file.readline().rstrip().removesuffix("]}") + "]}")["run"]
    took = run["seconds"]
    cost = ("" if not took else f" in {took:.1f} s, of which watching took about "
            f"{run['recorder'] or 0:.1f} s")
    return f"{path}: {run['calls']} calls{cost}. Open it at /open/."


def _compare(options) -> int:
    from simulator.live import compare
    counts = {compare.AGREES: 0, compare.DIFFERS: 0, compare.REFUSED: 0}
    for result in _kept(options) if options.kept else _fresh(options):
        counts[result.verdict] += 1
        if options.kept and result.verdict == compare.AGREES:
            print(f"## {result.name}: {result.verdict}", flush=True)
        else:
            print(compare.report(result), flush=True)
    print(", ".join(f"{number} {verdict}" for verdict, number in counts.items()))
    return 1 if counts[compare.DIFFERS] else 0


def _fresh(options):
    from simulator.live import compare
    for file in options.files:
        try:
            yield compare.compare(file, options.events, options.keys)
        except OSError as error:
            yield compare.Comparison(file, compare.DIFFERS, _unusable(file, error))


def _kept(options):
    from simulator.live import compare, golden
    from simulator.running import garbage
    garbage.settle()
    for item in golden.chosen(options.files):
        yield compare.compare_text(item.name, item.text, lambda path=item.path: golden.load(path),
                                   options.events, options.keys)


def _golden(options) -> int:
    from simulator.live import golden
    status = 0
    for item in golden.chosen(options.names, options.cases):
        fresh = golden.record(item)
        drift = golden.drift(golden.load(item.path), fresh) if item.path.exists() else ["is new"]
        word = "same" if not drift else "drifted" if item.path.exists() else "new"
        print(f"{word:<8} {item.name}", *(f"\n    {text}" for text in drift[:10]), sep="",
              flush=True)
        if options.check:
            status |= bool(drift)
        else:
            golden.save(item.path, fresh)
    return int(status)


def _histories(options) -> int:
    from simulator.live import histories
    return histories.run(options.count, options.seed, options.link, not options.no_shrink,
                         options.workers, say=lambda text: print(text, flush=True))


def _programs(options) -> int:
    from simulator.live import programs
    # A long run is cut in an orderly way: its counts are saved, its workers end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    return programs.run(options.count, options.seed, options.number, not options.no_shrink,
                        options.workers, options.first, options.summary, options.save,
                        options.real, say=lambda text: print(text, flush=True))


def _introspect(options) -> int:
    from simulator.live import introspect, library_functions, public_names
    for path in (*introspect.run(), public_names.run(), library_functions.run()):
        print(path)
    return 0


if __name__ == "__main__":
    print_anything()
    # Asked to end, we end the processes that we have started, as after a Ctrl-C.
    signal.signal(signal.SIGTERM, _as_interrupt)
    sys.exit(main())
