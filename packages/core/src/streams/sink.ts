/** Receives a stream by callbacks: any number of items, then exactly one of `end` and `error`. */
export interface Sink<Item> {
  next(item: Item): void
  end(): void
  error(error: unknown): void
}
