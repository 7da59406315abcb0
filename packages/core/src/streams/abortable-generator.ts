/**
 * Items that can be left at any time: a generator alone would first wait for the item that is being waited for.
 * @param begin makes them; the signal must end them.
 */
export function abortableGenerator<Item>(
  begin: (left: AbortSignal) => AsyncGenerator<Item, void>,
): AsyncGenerator<Item, void> {
  const left = new AbortController()

  async function* untilLeft(): AsyncGenerator<Item, void> {
    try {
      yield* begin(left.signal)
    } catch (error) {
      if (!left.signal.aborted) throw error
    }
  }

  const items = untilLeft()
  const end = items.return.bind(items)
  items.return = (value) => {
    left.abort()
    return end(value)
  }
  return items
}
