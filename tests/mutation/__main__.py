"""``python -m tests.mutation``: see the package."""

from __future__ import annotations

import argparse
import collections
import random
import sys
import time

from tests.mutation import golden, runner
from tests.mutation.mutants import Mutant, all_mutants
from tests.station_keys import all_checks


def main(arguments: list[str] | None = None) -> int:
    """Exit status: 0 when every mutant is noticed, 1 when not, 2 for a model that is wrong."""
    options = _parser().parse_args(arguments)
    mutants = [m for m in all_mutants() if all(word in str(m) for word in options.words)]
    if options.sample:
        mutants = random.Random(options.seed).sample(mutants, min(options.sample, len(mutants)))
    if options.list:
        print("\n".join(map(str, mutants)))
        return 0
    checks = all_checks()
    failure, _ = runner.first_failure((c.id, c.run) for c in checks)
    if failure:
        print(f"the model fails without any mutant: {failure}")
        return 2
    start = time.monotonic()
    print(f"{len(mutants)} mutants, {len(checks)} checks", flush=True)
    verdicts = _run(mutants, lambda m: runner.in_order(m, checks), options)
    survived = [v.mutant for v in verdicts if v.killer is None]
    if survived:
        recordings = golden.tests()
        print(f"{len(survived)} left for {len(recordings)} recordings of real JAX", flush=True)
        again = _run(survived, lambda m: recordings, options)
        verdicts = [v for v in verdicts if v.killer] + again
        survived = [v.mutant for v in again if v.killer is None]
    place = {str(mutant): i for i, mutant in enumerate(mutants)}
    print(_table(sorted(verdicts, key=lambda v: place[str(v.mutant)])))
    broken = [v for v in verdicts if v.broken]
    for mutant in survived:
        print(f"SURVIVES  {mutant}")
    for verdict in broken:
        print(f"BROKEN    {verdict.mutant}: {verdict.killer}")
    print(f"{len(survived)} of {len(mutants)} survive, {len(broken)} are broken; "
          f"{time.monotonic() - start:.0f} s")
    return 1 if survived or broken else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation",
                                     description="Is every field of every key tested?")
    parser.add_argument("words", nargs="*", help="only mutants with all these words")
    parser.add_argument("--list", action="store_true", help="print the mutants")
    parser.add_argument("--sample", type=int, metavar="N", help="only so many of them")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--workers", type=int, default=2, help="processes at a time")
    parser.add_argument("--verbose", action="store_true", help="say what killed each")
    return parser


def _run(mutants: list[Mutant], tests, options: argparse.Namespace) -> list[runner.Verdict]:
    verdicts = []
    for verdict in runner.run(mutants, tests, options.workers):
        verdicts.append(verdict)
        if options.verbose:
            print(f"{verdict.seconds:6.2f} s  {verdict.mutant}  <-  {verdict.killer}", flush=True)
        elif len(verdicts) % 50 == 0:
            print(f"  {len(verdicts)}/{len(mutants)}", flush=True)
    return verdicts


def _table(verdicts: list[runner.Verdict]) -> str:
    """Mutants and survivors by station and field."""
    counts: dict[tuple[str, str], list[int]] = collections.defaultdict(lambda: [0, 0])
    for verdict in verdicts:
        pair = counts[verdict.mutant.station, verdict.mutant.field]
        pair[0] += 1
        pair[1] += verdict.killer is None
    lines = [f"{'station':<10} {'field':<22} {'mutants':>7} {'survive':>7}"]
    lines += [f"{station:<10} {field:<22} {total:>7} {alive or '-':>7}"
              for (station, field), (total, alive) in counts.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
