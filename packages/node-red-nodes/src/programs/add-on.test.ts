import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readAddOn } from './add-on.ts'

function optionsFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'add-on-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'options.json')
  writeFileSync(file, text)
  return file
}
const inAddOn = { SUPERVISOR_TOKEN: 'x' }

it.each([
  ['{"ssl": true}', { port: 1880, isHttps: true }],
  ['{"ssl": false}', { port: 1880, isHttps: false }],
  ['{}', { port: 1880, isHttps: false }],
  ['no JSON', undefined],
])('an add-on with the options %s is reached at %j', (text, addOn) => {
  expect(readAddOn(inAddOn, optionsFile(text))).toEqual(addOn)
})

it('no other Node-RED is an add-on', () => {
  expect(readAddOn({}, optionsFile('{"ssl": true}'))).toBeUndefined()
  expect(readAddOn(inAddOn, '/nowhere/options.json')).toBeUndefined()
})
