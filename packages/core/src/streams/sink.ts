/** Receives items from a source, in order, and then exactly one of `end` and `error`. */
export interface Sink<Item> {
  next(item: Item): void
  end(): void
  error(error: unknown): void
}

/** Controls a running source. After `close`, its sink is not called again. */
export interface StreamControl {
  pause(): void
  resume(): void
  close(): void
}

/** Starts to produce items. It does not call the sink before it has returned. */
export type Source<Item> = (sink: Sink<Item>) => StreamControl
