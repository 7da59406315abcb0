import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const packages = fileURLToPath(new URL('../../../packages', import.meta.url))
const declaration = /^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm

/** The same thing at both ends of the wire. */
const atBothEnds = ['SpeechContext', 'SpeechContextOptions', 'VoiceList']

function sourcesOf(name: string): string[] {
  const folder = join(packages, name, 'src')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test(-case)?\.ts$/.test(file))
    .map((file) => join(folder, file))
}

it('an exported type has one meaning: no other file of the packages exports its name', () => {
  const exporters = new Map<string, string[]>()
  for (const file of ['core', 'local-service', 'store', 'webrtc', 'node-red-nodes'].flatMap(
    sourcesOf,
  )) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(declaration)) {
      exporters.set(name, [...(exporters.get(name) ?? []), file])
    }
  }
  expect(exporters.size).toBeGreaterThan(500)
  const repeated = [...exporters].filter(([, exporting]) => exporting.length > 1)
  expect(repeated.filter(([name]) => !atBothEnds.includes(name))).toEqual([])
})
