/** Rows of numbers: one for each phoneme or frame. */
export interface Rows {
  values: Float32Array
  count: number
  width: number
}

export function createRows(count: number, width: number): Rows {
  return { values: new Float32Array(count * width), count, width }
}

/** @returns the rows with `before` and `after` rows of zeros around them. */
export function padRows({ values, count, width }: Rows, before: number, after: number): Rows {
  const padded = createRows(before + count + after, width)
  padded.values.set(values, before * width)
  return padded
}

/** @returns a view of some of the rows. */
export function sliceRows({ values, width }: Rows, from: number, count: number): Rows {
  return { values: values.subarray(from * width, (from + count) * width), count, width }
}

export function joinRows(first: Rows, second: Rows): Rows {
  const joined = createRows(first.count + second.count, first.width)
  joined.values.set(first.values)
  joined.values.set(second.values, first.values.length)
  return joined
}

/** @returns each row, repeated as often as `times` says. */
export function repeatRows(rows: Rows, times: readonly number[]): Rows {
  const repeated = createRows(
    times.reduce((sum, count) => sum + count, 0),
    rows.width,
  )
  let at = 0
  times.forEach((count, index) => {
    const row = sliceRows(rows, index, 1).values
    for (let copy = 0; copy < count; copy++, at += rows.width) repeated.values.set(row, at)
  })
  return repeated
}

/** @returns for each window of consecutive rows, all of them in one row. */
export function unfoldRows(rows: Rows, taps: number): Rows {
  const unfolded = createRows(rows.count - taps + 1, rows.width * taps)
  for (let index = 0; index < unfolded.count; index++) {
    unfolded.values.set(sliceRows(rows, index, taps).values, index * unfolded.width)
  }
  return unfolded
}
