// Prints what failed in the JSON reports of Vitest, also what passed only when it was repeated, then the sum of all
// tests: node .ci/report.js FOLDER STATUS [FAILURES]. FAILURES that are no tests count, too.
import { readdirSync, readFileSync } from 'node:fs'

const [folder, status, otherFailures = 0] = process.argv.slice(2)
const files = readdirSync(folder)
const read = (file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'))
const runs = files.map(read)
// There, tests must be skipped.
const complete = files.filter((file) => file !== 'without-programs.json').map(read)
const sum = (count, some = runs) => some.reduce((total, run) => total + run[count], 0)

for (const file of runs.flatMap((run) => run.testResults)) {
  if (file.status === 'failed' && file.message) console.log(`FAILED ${file.name}\n${file.message}`)
  for (const test of file.assertionResults.filter((result) => result.failureMessages.length > 0)) {
    const what =
      test.status === 'failed' ? 'FAILED' : `PASSED AT TRY ${test.failureMessages.length + 1}`
    console.log(`${what} ${file.name}: ${test.fullName}\n${test.failureMessages.at(-1)}`)
  }
}

// An error outside a test fails the run, too.
const failed = Math.max(sum('numFailedTests'), Number(status)) + Number(otherFailures)
const skipped = sum('numPendingTests', complete) + sum('numTodoTests', complete)
if (skipped) console.log(`${skipped} skipped`)
console.log(`${sum('numPassedTests')} passed, ${failed} failed`)
