import { writeFileSync } from 'node:fs'

const fractionDigits = 2

/** A goal for a value that must not be larger. */
export function goal(name, value, goal) {
  return { name, value, goal, met: value <= goal }
}

/** A goal for a value that must not be smaller. */
export function goalAtLeast(name, value, goal) {
  return { name, value, goal, met: value >= goal }
}

/** A value of today that must not become larger. Nobody notices whether it becomes smaller, so it is no goal. */
export function guard(name, value, limit) {
  return { ...goal(name, value, limit), isGuard: true }
}

/** A value of today that must not become smaller. */
export function guardAtLeast(name, value, limit) {
  return { ...goalAtLeast(name, value, limit), isGuard: true }
}

/** Prints rows and goals and, if there is a path, writes them as JSON in the format that all benches share. A broken guard fails the process. */
export function report({ bench, rows, goals, jsonPath }) {
  const node = process.version
  console.log(`\n${bench}, Node ${node}\n\n${table(rows)}\n`)
  for (const { name, value, goal, met, isGuard } of goals) {
    const kind = isGuard ? ' (guard)' : ''
    console.log(`${met ? 'met    ' : 'NOT met'}  ${toText(value)} of ${goal}: ${name}${kind}`)
  }
  if (goals.some(({ met, isGuard }) => isGuard && !met)) process.exitCode = 1
  if (jsonPath) {
    writeFileSync(jsonPath, `${JSON.stringify({ bench, node, rows, goals }, rounded, 2)}\n`)
  }
}

/** Formats objects as lines of text, with numbers aligned to the right. */
function table(rows) {
  const columns = [...new Set(rows.flatMap(Object.keys))]
  const lines = [columns, ...rows.map((row) => columns.map((column) => toText(row[column] ?? '')))]
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index].length)))
  const isNumber = columns.map((column) => rows.some((row) => typeof row[column] === 'number'))
  const align = (text, index) =>
    isNumber[index] ? text.padStart(widths[index]) : text.padEnd(widths[index])
  return lines.map((line) => line.map(align).join('  ').trimEnd()).join('\n')
}

function toText(value) {
  const isFraction = typeof value === 'number' && !Number.isInteger(value)
  return isFraction ? value.toFixed(fractionDigits) : String(value)
}

function rounded(_key, value) {
  return typeof value === 'number' ? Number(value.toFixed(fractionDigits)) : value
}
