// npm run catalogue: downloads every file that the catalogue of models offers, and compares its size and its checksum.
// Nothing is stored. With --sizes, it only compares the sizes. With --update, it notes the day in the entries that are
// right; then run npm run format.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkEntry } from './check-catalogue.js'
import { repository } from './prepare.js'

const { values } = parseArgs({
  options: { sizes: { type: 'boolean' }, update: { type: 'boolean' } },
})
const path = join(repository, 'packages/local-service/src/models/catalogue/catalogue.json')
const entries = JSON.parse(readFileSync(path, 'utf8'))
let wrong = 0
for (const entry of entries) {
  const problems = await checkEntry(entry, { onlySizes: values.sizes ?? false })
  console.log(`${entry.name}: ${problems.length === 0 ? 'right' : problems.join('; ')}`)
  if (problems.length > 0) wrong += 1
  else if (!values.sizes) entry.checkedOn = new Date().toISOString().slice(0, 10)
}
if (values.update) writeFileSync(path, `${JSON.stringify(entries, null, 2)}\n`)
console.log(`${entries.length - wrong} of ${entries.length} entries are right`)
// A checksum that differs is never replaced: somebody has to find out why the file has changed.
process.exitCode = wrong === 0 ? 0 : 1
