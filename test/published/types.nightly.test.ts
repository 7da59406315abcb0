import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const packages = ['packages/core', 'packages/local-service', 'packages/store']
const sourceOf = (path: string) => join(repository, path, 'src/index.ts')
const builtOf = (path: string) => join(repository, path, 'dist/index.d.ts')

const configFile = join(repository, 'tsconfig.base.json')
const { config } = ts.readConfigFile(configFile, ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, repository)
const program = ts.createProgram(
  packages.flatMap((path) => [sourceOf(path), builtOf(path)]),
  options,
)
const checker = program.getTypeChecker()

/** The comment on each member of each exported type of a file, by `Type.member`. */
function readComments(file: string): Map<string, string> {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!
  const comments = checker.getExportsOfModule(module).flatMap((exported) => {
    const isAlias = exported.flags & ts.SymbolFlags.Alias
    const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported
    return checker
      .getDeclaredTypeOfSymbol(symbol)
      .getProperties()
      .map(
        (member) =>
          [
            `${exported.name}.${member.name}`,
            ts.displayPartsToString(member.getDocumentationComment(checker)),
          ] as const,
      )
  })
  return new Map(comments.filter(([, comment]) => comment))
}

describe('the published types', () => {
  it('compile with TypeScript before 5.7, in which Uint8Array is not generic', () => {
    const declarations = packages.flatMap((path) => {
      const folder = join(repository, path, 'dist')
      const files = readdirSync(folder).filter((file) => /\.d\.c?ts$/.test(file))
      return files.map((file) => readFileSync(join(folder, file), 'utf8'))
    })
    expect(declarations.length).toBeGreaterThan(5)
    expect(declarations.filter((text) => /\b(Uint8Array|Buffer)</.test(text))).toEqual([])
  })

  it.each(packages)('have the comments of the source, which editors show: %s', (path) => {
    const written = readComments(sourceOf(path))
    const published = readComments(builtOf(path))
    const missing = [...written].filter(([member, comment]) => published.get(member) !== comment)
    expect(written.size).toBeGreaterThan(10)
    expect(missing.map(([member]) => member)).toEqual([])
  })

  it.each([
    ['packages/core', 'ClientOptions'],
    ['packages/core', 'CallOptions'],
    ['packages/local-service', 'LocalServiceOptions'],
  ])('explain each option: %s, %s', (path, type) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(builtOf(path))!)!
    const symbol = checker.getExportsOfModule(module).find(({ name }) => name === type)!
    const isAlias = symbol.flags & ts.SymbolFlags.Alias
    const declared = isAlias ? checker.getAliasedSymbol(symbol) : symbol
    const names = checker
      .getDeclaredTypeOfSymbol(declared)
      .getProperties()
      .map(({ name }) => name)
    const comments = readComments(builtOf(path))
    expect(names.length).toBeGreaterThan(5)
    expect(names.filter((name) => !comments.has(`${type}.${name}`))).toEqual([])
  })
})
