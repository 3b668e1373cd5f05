// What the lines of JAX's log mean (a test holds each `of` against simulator/data: it is how a
// format begins there; what follows the equals sign is strict JSON). `what`: what the line counts as;
// `fun`, `time`, `types`: which blank of the format holds them, from 1.
export const LINES = [
  {"of": "TRACING CACHE MISS at ", "what": "why", "say": "The tracing cache had no entry, so your Python ran again under a tracer. The lines below it say why."},
  {"of": "Finished tracing ", "what": "traced", "fun": 1, "time": 2, "say": "Your Python ran under a tracer and left a jaxpr; it took this long."},
  {"of": "Compiling %s with global shapes and types", "what": "compiling", "fun": 1, "types": 2, "say": "Lowering begins: the jaxpr becomes StableHLO for these argument types. XLA may still be spared by a cache."},
  {"of": "Finished jaxpr to MLIR module conversion ", "what": "lowered", "fun": 1, "time": 2, "say": "The jaxpr was turned into StableHLO."},
  {"of": "Finished XLA compilation of ", "what": "compiled", "fun": 1, "time": 2, "say": "An executable was had: compiled by XLA, or loaded from disk when a persistent hit stands above."},
  {"of": "Persistent compilation cache hit for ", "what": "disk-hit", "fun": 1, "say": "The executable was found on disk and loaded: XLA did not run."},
  {"of": "PERSISTENT COMPILATION CACHE MISS for ", "what": "disk-miss", "fun": 1, "say": "The disk had no executable under this key: XLA runs."},
  {"of": "Writing %s to persistent", "what": "disk-write", "fun": 1, "say": "The executable is written to disk: the next process finds it."},
  {"of": "Not writing persistent cache entry for '%s' because it took", "what": "disk-skip", "fun": 1, "say": "Not written to disk: it compiled faster than jax_persistent_cache_min_compile_time_secs."},
  {"of": "Not writing persistent cache entry with key %r since its size", "what": "disk-skip", "fun": 1, "say": "Not written to disk: it is smaller than jax_persistent_cache_min_entry_size_bytes."},
  {"of": "Not writing persistent cache entry with key %r since cache is", "what": "disk-skip", "fun": 1, "say": "Not written to disk: there is no cache directory in use."},
  {"of": "Not writing persistent cache entry since process_id", "what": "disk-skip", "say": "Not written to disk: only process 0 writes."},
  {"of": "Error reading persistent compilation cache entry for '{module_name}'", "what": "disk-error", "fun": 1, "say": "The file on disk could not be read; the program is compiled as if it were not there."},
  {"of": "Error reading persistent compilation cache entry for '{cache_key}'", "what": "disk-error", "fun": 1, "say": "The file on disk could not be read; the program is compiled as if it were not there."},
  {"of": "Error writing persistent compilation cache entry for ", "what": "disk-error", "fun": 1, "say": "The executable could not be written to disk; the next process compiles it again."},
  {"of": "compile_or_get_cached: unable to generate cache key, skipping the cache", "what": "disk-error", "say": "No key could be made for this program, so the disk was not asked."},
  {"of": "_get_cache: Unsupported runtime", "what": "disk-error", "say": "This runtime cannot write executables to disk: the persistent cache is off."},
  {"of": "Finished tracing + transforming ", "old": true, "what": "traced", "fun": 1, "time": 2, "say": "Your Python ran under a tracer (as older versions of JAX say it)."}
];

/** Lines under an explanation; `of`: how the format's own line begins. */
export const DETAILS = [
  {"of": "never seen function:", "step": "new", "say": "This function object is new to the tracing cache. The next line names it."},
  {"of": "{func_name} id={id(fun)}", "step": "name", "say": "The function that was not known, and where it is defined."},
  {"of": "but seen another function defined on the same line", "step": "again", "say": "The same source line has made a function before: it is made anew each time, and functions are compared as objects."},
  {"of": "being re-defined repeatedly", "step": "", "say": "(The end of the sentence above.)"},
  {"of": "for {func_name}", "step": "name", "say": "The function, and where it is defined: it is known, but not with this key."},
  {"of": "all previously seen cache keys differ", "step": "", "say": "What follows compares with the earlier key that is most alike."},
  {"of": "different input types:", "step": "", "say": "The types of the arguments differ."},
  {"of": "different input pytree:", "step": "tree", "say": "The structure of the arguments differs."},
  {"of": "* at input path ", "step": "path", "say": "The place in the arguments where the structures part."},
  {"of": "* at {name}", "step": "type", "say": "The argument, its type now and its type in the stored key."},
  {"of": "Tracing context doesn't match", "step": "", "say": "A setting or a context around the call differs."},
  {"of": "* {name} differs", "step": "context", "say": "The setting, its value now and its value in the stored key."},
  {"of": "* number of tracing context", "step": "other", "say": "The stored key was made with another set of settings."},
  {"of": "Debug info doesn't match.", "step": "other", "say": "Only names for error messages differ, and they are in the key, too."},
  {"of": "cache miss explanation unavailable", "step": "unknown", "say": "JAX has no explanation here. A static argument with another value is a usual reason."}
];
