// Names that the build fills in (site/make/assets.py).
declare const __ENGINE_WORKER__: string;
declare const __ENGINE_FOLDER__: string;
declare const __ENGINE_WHEEL__: string;
declare const __FILES__: string[];
declare const __VERSION__: string;
declare const __LOG_FORMATS__: import("./open/log.js").Format[];
