const dash = /^[-−–]$/
/** An x may also be a count: "8 - 10 x 5 kg". */
const operator = /^[-−–+*×÷x]$/

/**
 * Whether a dash between two numbers subtracts, because a calculation goes on around them: "1 + 2 - 3", "5 - 7 = -2".
 * @param before the words before the first number.
 * @param after the words after the second number.
 */
export function isCalculation(before: readonly string[], after: readonly string[]): boolean {
  return isAfterOperator(before) || isBeforeOperator(after) || hasResult(after)
}

function isAfterOperator(before: readonly string[]): boolean {
  const [beyond = '', last = ''] = [before.at(-2), before.at(-1)]
  return last === '=' || ((dash.test(last) || /^[+*×÷]$/.test(last)) && /^\d/.test(beyond))
}

/** "1 - 2 + 3", but not "20 - 30 + tip". */
function isBeforeOperator([first = '', second = '']: readonly string[]): boolean {
  return (dash.test(first) || /^[+*÷]$/.test(first)) && /^\d/.test(second)
}

/** "= 2" or "kg = 2 kg" or "× 5 = 10": whether only the calculation is before the result. */
export function hasResult(after: readonly string[]): boolean {
  let at = skipUnit(after, 0)
  while (operator.test(after[at] ?? '') && /\d/.test(after[at + 1] ?? '')) {
    at = skipUnit(after, at + 2)
  }
  return after[at] === '='
}

function skipUnit(words: readonly string[], at: number): number {
  const isUnit = !operator.test(words[at] ?? '') && /^[^\d=]/.test(words[at] ?? '')
  return isUnit ? at + 1 : at
}
