"""The mutation check: is every field of every cache key pinned by some test?

    python -m tests.mutation                 all mutants; exit status 1 if one survives
    python -m tests.mutation lower donated   only mutants with these words in their names
    python -m tests.mutation --list          what there is
    python -m tests.mutation --sample 20     a seeded sample

A mutant is the model with one thing changed: a field of a key dropped, or compared in
another way, a configuration state in or out of a key, a capacity, a way for entries to
come and go. `mutants` lists them; nothing is edited: a child process takes over the
running model, changes the table of `simulator.keys` (or whatever the mutant is about)
and runs the checks of ``tests/station_keys`` until one fails. Only when none does, the
golden recordings of real JAX are compared with the mutated model. A mutant that
passes those, too, survives: something is not tested, or makes no difference and should
not be there.
"""
