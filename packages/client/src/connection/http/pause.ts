// A wait that can be ended early.

export class Pause {
  #end = (): void => {};

  /** Resolves after so many milliseconds, or with `end`. */
  for(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  end(): void {
    this.#end();
  }
}
