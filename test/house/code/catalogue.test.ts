import { createHash } from 'node:crypto'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it } from 'vitest'
import catalogue from '../../../packages/local-service/src/models/catalogue/catalogue.json' with {
  type: 'json',
}
import {
  catalogueKey,
  sentencesOf,
} from '../../../packages/node-red-nodes/src/editor/local-models/catalogue-text.ts'
import texts from '../../../packages/node-red-nodes/src/locales/en-US/editor.json' with {
  type: 'json',
}
import { checkEntry } from '../../../scripts/check-catalogue.js'

const content = 'a model'
const sha256 = createHash('sha256').update(content).digest('hex')

interface Change {
  bytes?: number
  sha256?: string
  path?: string
}

it.each<[string, Change, boolean, string[]]>([
  ['right', {}, false, []],
  ['a wrong size', { bytes: 8 }, true, ['has 7 bytes instead of 8']],
  ['a wrong checksum', { sha256: 'abc' }, false, [`has the SHA-256 ${sha256}`]],
  ['a checksum that is not compared', { sha256: 'abc' }, true, []],
  ['a missing file', { path: '/none' }, false, ['responds with 404']],
])('npm run catalogue finds %s', async (_what, change, onlySizes, problems) => {
  const { baseUrl } = await startTestServer((response, { url }) => {
    if (url === '/none') return void response.writeHead(404).end()
    response.writeHead(200, { 'content-length': content.length }).end(content)
  })
  const { path = '/model', ...file } = { bytes: content.length, sha256, ...change }
  const archive = { ...file, urls: [`${baseUrl}${path}`] }
  const found = await checkEntry({ sources: [{ archive }] }, { onlySizes })
  expect(found).toEqual(problems.map((problem) => `${baseUrl}${path} ${problem}`))
})

it('npm run catalogue reports an address that cannot be reached', async () => {
  const archive = { bytes: 1, urls: ['http://127.0.0.1:1/model'] }
  const found = await checkEntry({ sources: [{ archive }] }, { onlySizes: false })
  expect(found).toEqual([expect.stringContaining('/model cannot be reached: ')])
})

it('the editor has every sentence of the catalogue, so that it can be translated', () => {
  const translated: Record<string, string> = texts.editor.models.catalogue
  const names = catalogue.map(({ licence }) => licence.name).filter((name) => /^[a-z]/.test(name))
  const english = catalogue.flatMap(({ summary, licence }) =>
    [summary, licence.notice ?? []].flat(),
  )
  const sentences = new Set([...names, ...english.flatMap(sentencesOf)])
  for (const sentence of sentences) expect(translated[catalogueKey(sentence)]).toBe(sentence)
  expect(Object.keys(translated)).toHaveLength(sentences.size)
})
