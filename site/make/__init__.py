"""The build: setting up, rendering, packaging the engine, serving, checking.

`setup` and `command_line` run on a bare Python 3.13; everything else runs
inside `.venv`. Each module does one step and can be read alone.
"""
