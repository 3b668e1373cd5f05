// Microseconds that each kind of work adds to a call, from the run recorded in
// simulator/data/timings.json. Written by `python -m simulator.live.timings`.
export const PRICES = {"hit": 10, "python": 72, "trace": 236, "lower": 831, "compile": 23492, "load": 6418};
