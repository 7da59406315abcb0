import { writeFileSync } from 'node:fs'

const fractionDigits = 2

/** A promise to be kept: a value that is to be no larger than the goal. */
export function goal(name, value, goal) {
  return { name, value, goal, met: value <= goal }
}

/** A promise to be kept: a value that is to be no smaller than the goal. */
export function goalAtLeast(name, value, goal) {
  return { name, value, goal, met: value >= goal }
}

/** Prints rows and goals and, where a path is given, writes them as JSON in the shape that all benches share. */
export function report({ bench, rows, goals, jsonPath }) {
  const node = process.version
  console.log(`\n${bench}, Node ${node}\n\n${table(rows)}\n`)
  for (const { name, value, goal, met } of goals) {
    console.log(`${met ? 'met    ' : 'NOT met'}  ${toText(value)} of ${goal}: ${name}`)
  }
  if (jsonPath) {
    writeFileSync(jsonPath, `${JSON.stringify({ bench, node, rows, goals }, rounded, 2)}\n`)
  }
}

/** Objects as lines of text, with numbers to the right. */
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
