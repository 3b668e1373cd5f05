// Time: beats follow each other while playing. Nothing starts by itself and nothing loops.

export class Player {
  playing = false;
  speed = 1;
  #timer = 0;

  /**
   * @param {import("./timeline.js").Timeline} timeline
   * @param {{beat: (beat: import("./types.js").Beat, ms: number) => void, changed: () => void}} show
   */
  constructor(timeline, show) {
    this.timeline = timeline;
    this.show = show;
  }

  /** Play from here to the end of what was issued; at the end, the last call once more. */
  play() {
    const { timeline } = this;
    if (!timeline.rewound && timeline.call) timeline.goto(timeline.call, 1);
    else if (timeline.over) timeline.step(1);
    this.playing = true;
    this.show.changed();
    this.#run();
  }

  pause() {
    clearTimeout(this.#timer);
    if (!this.playing) return;
    this.playing = false;
    this.show.changed();
  }

  #run() {
    const { timeline } = this, beat = timeline.beats(timeline.call)[timeline.beat - 1];
    if (!beat) return this.pause();
    const ms = beat.ms / this.speed;
    this.show.beat(beat, ms);
    this.#timer = setTimeout(() => {
      if (!timeline.rewound) return this.pause();
      timeline.step(1);
      this.#run();
    }, ms);
  }
}
