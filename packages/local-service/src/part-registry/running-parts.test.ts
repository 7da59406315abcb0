import { describe, expect, it } from 'vitest'
import type { PartDefinition } from './part-definition.ts'
import { type PartKind, refreshParts, startParts } from './running-parts.ts'

interface Part {
  name: string
}

/** Parts that start if they are installed, and fail if they are broken. */
function createKind({ isRequired = false } = {}) {
  const installed = new Set<string>()
  const broken = new Set<string>()
  const log: string[] = []
  const define = (name: string): PartDefinition<Part> => ({
    name,
    options: { [`${name}Folder`]: { help: 'a folder', read: (text) => text } },
    async start({ options }) {
      if (broken.has(name)) throw new Error(`${name} is broken`)
      log.push(`${name} starts with ${Object.keys(options)}`)
      return installed.has(name) ? { name } : undefined
    },
    async refresh() {
      log.push(`${name} is refreshed`)
      if (broken.has(name)) throw new Error(`${name} is broken`)
    },
  })
  const kind: PartKind<Part> = {
    definitions: ['first', 'second', 'third'].map(define),
    isRequired,
    close: async ({ name }) => void log.push(`${name} is closed`),
  }
  return { kind, installed, broken, log }
}

function createOptions() {
  const warnings: string[] = []
  const warn = (message: string) => void warnings.push(message)
  return { warnings, options: { firstFolder: '/a', apiKey: 'secret', warn } }
}

describe('startParts', () => {
  it('starts the installed parts, each with its own options, and reports one that fails', async () => {
    const { kind, installed, broken, log } = createKind()
    const { options, warnings } = createOptions()
    installed.add('third').add('first')
    broken.add('second')
    expect([...(await startParts(kind, options)).keys()]).toEqual(['first', 'third'])
    expect(log).toEqual(['first starts with firstFolder', 'third starts with thirdFolder'])
    expect(warnings).toEqual(['second does not start: second is broken'])
  })

  it('closes the others if a required part fails', async () => {
    const { kind, installed, broken, log } = createKind({ isRequired: true })
    installed.add('first')
    broken.add('second')
    await expect(startParts(kind, createOptions().options)).rejects.toThrow('second is broken')
    expect(log.at(-1)).toBe('first is closed')
  })
})

describe('refreshParts', () => {
  it.each([{ isRequired: true }, { isRequired: false }])(
    'adds a part in the order of the definitions: %j',
    async (required) => {
      const { kind, installed } = createKind(required)
      const { options } = createOptions()
      installed.add('third')
      const parts = await startParts(kind, options)
      installed.add('first')
      await refreshParts(kind, parts, options)
      expect([...parts.keys()]).toEqual(['first', 'third'])
    },
  )

  it('refreshes the others if a part fails, and throws its failure', async () => {
    const { kind, installed, broken, log } = createKind()
    const { options } = createOptions()
    installed.add('first').add('second').add('third')
    const parts = await startParts(kind, options)
    broken.add('first')
    log.length = 0
    await expect(refreshParts(kind, parts, options)).rejects.toThrow('first is broken')
    expect(log).toEqual(['first is refreshed', 'second is refreshed', 'third is refreshed'])
  })
})
