import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { maxMs, worstMs } from './slow-searches.ts'

const repository = fileURLToPath(new URL('../../../', import.meta.url))

const maxCharacters = 250_000

/**
 * The expressions that receive only short text, with its length. Give a new expression a linear form instead: let
 * neighbouring parts match different characters, or let a lookbehind prevent a second search of the same characters.
 */
const shortTexts: Readonly<Record<string, number>> = {
  // clauses.ts cuts the text before it searches.
  [String.raw`/(\p{L}{4,})[.!?…]+["'”’)\]]*$/u`]: 40,
  // A sentence: the limit is an option of the sentence cutter, and its default is 400.
  [String.raw`/(?<=\S)(?=\s)/g`]: 10_000,
  // The display name of a clone.
  [String.raw`/\p{Mark}/gu`]: 1000,
}

interface Found {
  text: string
  place: string
}

function findExpressions(): Found[] {
  const found = new Map<string, Found>()
  for (const path of sourceFiles()) {
    const source = readFileSync(join(repository, path), 'utf8')
    const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true)
    const visit = (node: ts.Node) => {
      if (ts.isRegularExpressionLiteral(node)) {
        const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1
        found.set(node.text, { text: node.text, place: `${path}:${line}` })
      }
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  return [...found.values()]
}

function sourceFiles(): string[] {
  return ['core', 'local-service', 'store', 'webrtc', 'node-red-nodes'].flatMap((name) => {
    const folder = `packages/${name}/src`
    return readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.ts$/.test(file) && !/\.test(-cases?)?\.ts$/.test(file))
      .map((file) => join(folder, file))
  })
}

function toExpression(text: string): RegExp {
  const end = text.lastIndexOf('/')
  return new RegExp(text.slice(1, end), text.slice(end + 1))
}

const expressions = findExpressions()

describe('a regular expression of the packages', () => {
  it.each(expressions)(
    'searches 250,000 characters of its worst text in linear time: $text in $place',
    ({ text }) => {
      expect(worstMs(toExpression(text), shortTexts[text] ?? maxCharacters)).toBeLessThan(maxMs)
    },
  )

  it('has an exception from the length only while it exists', () => {
    const texts = expressions.map(({ text }) => text)
    for (const text of Object.keys(shortTexts)) expect(texts).toContain(text)
  })
})

// It measures searches of a second, up to 40 times where other processes take most of the time.
const searchLimitMs = 120_000

describe('the search for slow regular expressions', { timeout: searchLimitMs }, () => {
  it.each([
    // Exponential.
    [/^(a+)+$/],
    // Quadratic, in forms that this project has had.
    [/\s*\S+/g],
    [/\[([^\]]*)\]\([^)]*\)/g],
    [/^<break(\s*)+time\s*=/],
    [/(\*{1,3}|~~)(?=\S)(.*?\S)\1/g],
  ])('finds %s', (expression) => {
    expect(worstMs(expression, maxCharacters)).toBeGreaterThan(maxMs)
  })

  it.each([[/(?<!\s)\s*\S+/g], [/<[^<>]*>/g], [/^[a-z]+$/]])('accepts %s', (expression) => {
    expect(worstMs(expression, maxCharacters)).toBeLessThan(maxMs)
  })
})
