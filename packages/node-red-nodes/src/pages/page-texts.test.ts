import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { chooseTexts } from './page-texts.ts'

const all = {
  de: 'Bereit',
  'en-US': 'Ready',
  'pt-BR': 'Pronto',
  'pt-PT': 'Pronto',
  'zh-CN': '就绪',
}

it.each([
  [['de-AT', 'en'], 'de'],
  [['nl-NL', 'zh-CN', 'de'], 'zh-CN'],
  [['zh-Hant-TW'], 'zh-CN'],
  [['DE'], 'de'],
  [['pt-PT'], 'pt-PT'],
  [['pt-AO'], 'pt-BR'],
  [['nl'], 'en-US'],
  [[], 'en-US'],
  [['constructor'], 'en-US'],
])('a page for a user who reads %j is in %s', (languages, language) => {
  expect(chooseTexts(all, languages).language).toBe(language)
})

it.each(['speaker', 'microphone'])(
  'every id of the %s page is the id of one element',
  async (page) => {
    const html = await readFile(new URL(`${page}/${page}.html`, import.meta.url), 'utf8')
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
    expect(ids).toContain('page-texts')
    expect(ids).toEqual([...new Set(ids)])
  },
)
