import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findKeys } from '@parlando/test-support/secrets/find-keys'
import { keys } from '@parlando/test-support/secrets/keys'
import { recordSources } from '@parlando/test-support/secrets/records'
import { describe, expect, inject, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const kept = process.env['PARLANDO_RECORDS']!

function repositoryFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: repository, encoding: 'utf8' })
  return listed.split('\0').filter((file) => file && existsSync(join(repository, file)))
}

describe('a search for keys', () => {
  const [name, key] = Object.entries(keys).at(-1)!
  const asText = Buffer.from(key)

  it.each([
    ['verbatim', key],
    ['encoded for an address', encodeURIComponent(key)],
    ['in JSON', JSON.stringify({ message: `Bad key ${key}` })],
    ['in base64', asText.toString('base64')],
    ['in base64 for addresses', asText.toString('base64url')],
    ['in base64 together with a name', Buffer.from(`me:${key}!`).toString('base64')],
    ['in hexadecimal digits', asText.toString('hex')],
  ])('finds one %s, among binary bytes', (_how, written) => {
    const bytes = Buffer.concat([
      Buffer.from([0, 255, 128]),
      Buffer.from(`before ${written} after`),
    ])
    expect(findKeys(bytes)).toEqual([expect.stringContaining(`${name}, after `)])
  })

  it('finds each key, and its name and secret', () => {
    const written = Object.values(keys).join('\n')
    expect(findKeys(Buffer.from(written))).toHaveLength(Object.keys(keys).length)
    expect(findKeys(Buffer.from(keys.service, 'base64'))).toHaveLength(1)
  })

  it('finds nothing in text without keys', () => {
    expect(findKeys(Buffer.from('Bad key ***! Check the key.'))).toEqual([])
  })
})

describe('no key remains after the tests', () => {
  it.each(recordSources)('%s', (source) => {
    const files = readdirSync(join(kept, source))
    if (inject('expectedRecords').includes(source)) expect(files).not.toEqual([])
    const found = files.flatMap((file) => findKeys(readFileSync(join(kept, source, file))))
    expect(found).toEqual([])
  })

  it('in the files of the repository', () => {
    const found = repositoryFiles().flatMap((file) =>
      findKeys(readFileSync(join(repository, file))),
    )
    expect(found).toEqual([])
  })
})

it('no test defines its own key, which the search would miss', () => {
  const tests = repositoryFiles().filter((file) => /^test\/|\.test\.ts$/.test(file))
  expect(tests).toContain('test/contract/chat.slow.test.ts')
  const own = tests.filter((file) =>
    /\b\w*(key|Key|API_KEY)\b'?\]?\s*[:=]\s*'[^'\s]{8}|(Basic|Bearer) \w{8}/.test(
      readFileSync(join(repository, file), 'utf8'),
    ),
  )
  expect(own).toEqual([])
})
