"""The book of a build: scenarios, recordings and figures, ready for the prose."""

import hashlib
from pathlib import Path

from make import beneath
from make.baked import lab_text
from make.chapters import Book
from make.evidence import Evidence
from make.glossary import Glossary
from make.model import Model
from make.pages import Figure
from make.scenarios import Scenario
from make.truth import Check
from simulator import browser


def make_book(
    model: Model,
    scenarios: list[Scenario],
    checks: list[Check],
    cases: list[Check],
    figures: dict[str, Figure],
    recordings: Path | None = None,
) -> Book:
    """Everything prose may refer to. Recordings of lab figures that are asked for
    are written into `recordings`; without it they are only made."""
    both = {check.name: (check.model, check.real) for check in checks if check.model and check.real}
    for case in cases:  # what the model refuses was still seen on real JAX
        both[case.name] = (case.model or case.real, case.real)
    both |= {one.name: (one.real, one.real) for one in beneath.programs()}

    def lab_figure(history: str, heading: str) -> Figure:
        recording, reason = model.run(lab_text(history), browser.LAB_NAME)
        if recording is None:
            raise ValueError(f"the lab refuses {history}: {reason}")
        name = "lab-" + hashlib.sha256(history.encode()).hexdigest()[:8]
        if recordings:
            (recordings / f"{name}.json").write_text(recording.to_json(), encoding="utf-8")
        return Figure(
            name=name,
            title=heading,
            recording=recording,
            file=f"{name}.json",
            do=history,
            free=True,
        )

    programs = [case.text for case in cases]
    return Book(Glossary.read(), Evidence(both), scenarios, figures, lab_figure, programs)


def whole_book() -> Book:
    """The book of this checkout, for checks outside of a build."""
    from make.pages import scenario_figure
    from make.scenarios import all_scenarios
    from make.site import check_cases, check_scenario

    model = Model()
    scenarios = all_scenarios()
    checks = [check_scenario(model, scenario) for scenario in scenarios]
    figures = {
        scenario.name: scenario_figure(scenario, check)
        for scenario, check in zip(scenarios, checks)
        if check.model
    }
    return make_book(model, scenarios, checks, check_cases(model), figures)
