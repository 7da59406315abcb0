import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { exampleFiles, type FlowNode, readExample } from '@parlando/test-support/node-red/example'
import { describe, expect, it } from 'vitest'

const tests = readdirSync(fileURLToPath(new URL('.', import.meta.url)))

/** The core nodes that the examples may use. */
const coreTypes =
  'tab comment inject debug catch status complete switch change template function delay join file mqtt-broker'
    .split(' ')
    .concat('file in', 'http in', 'http response', 'mqtt in', 'mqtt out', 'link in', 'link out')

/** What an example needs of another package, by its number. */
const others: Readonly<Record<string, { name: string; types: string[] }>> = {
  '19': { name: 'node-red-contrib-home-assistant-websocket', types: ['ha-sentence', 'server'] },
}

/** The settings that name a configuration node. */
const configurations = ['service', 'speaker', 'server', 'mcpServer', 'mcpAccess']

// Narrower than the canvas between the sidebars on a screen of 1280 pixels.
const canvasWidth = 740

describe.each(exampleFiles)('example %s', (file) => {
  const flow = readExample(file)
  const placed = flow.filter(({ x }) => x !== undefined)

  it('has its own test', () => {
    expect(tests.filter((test) => test.startsWith(`${file.slice(0, 2)}-`))).toHaveLength(1)
  })

  it('says what to do in a comment at the top, with details in its description', () => {
    const [comment] = flow.filter(({ type }) => type === 'comment')
    expect(comment).toMatchObject({ name: expect.stringMatching(/\S/), y: 60 })
    expect(comment?.['info'].length).toBeGreaterThan(100)
    expect(Math.min(...placed.map(({ y }) => y!))).toBe(60)
  })

  it('says on the canvas where its files are', () => {
    const files = flow.filter(({ type }) => type === 'file' || type === 'file in')
    const comments = flow.flatMap(({ type, name }) => (type === 'comment' ? [name] : []))
    const isSaid = comments.some((text = '') =>
      /in the folder in which Node-RED was started/.test(text),
    )
    expect(isSaid).toBe(files.length > 0)
  })

  it("needs only this package and Node-RED's core nodes, or says on the canvas what else", () => {
    const other = others[file.slice(0, 2)]
    const types = flow.map(({ type }) => type).filter((type) => !type.startsWith('parlando-'))
    expect([...coreTypes, ...(other?.types ?? [])]).toEqual(expect.arrayContaining(types))
    const comments = flow.flatMap(({ type, name }) => (type === 'comment' ? [name] : []))
    if (other) expect(comments.join()).toContain(other.name)
  })

  it('speaks on this device without a configuration node, and contains no key and no local path', () => {
    const speaking = flow.filter(({ type }) => type.startsWith('parlando-'))
    // Example 23 only sends texts to the Node-REDs with example 24.
    if (!file.startsWith('23'))
      expect(speaking).toContainEqual(expect.objectContaining({ service: '' }))
    const services = flow.filter(({ type }) => type === 'parlando-service')
    expect(services.map(({ name }) => name)).toEqual(file.startsWith('07') ? ['Out of reach'] : [])
    expect(JSON.stringify(flow)).not.toMatch(/apiKey|credentials|"password|\/(home|tmp|Users)\//)
  })

  it('has complete inject nodes, so that the editor does not mark them as not configured', () => {
    for (const inject of flow.filter(({ type }) => type === 'inject')) {
      expect(inject).toMatchObject({ repeat: '', crontab: '', once: false, onceDelay: 0.1 })
    }
  })

  it('has named nodes that do not overlap and fit on a screen of 1280 pixels between the sidebars', () => {
    const boxes = placed.map(boxOf)
    expect(placed.filter(({ name }) => !name)).toEqual([])
    for (const [index, box] of boxes.entries()) {
      expect(box.left, box.name).toBeGreaterThanOrEqual(0)
      expect(box.right, box.name).toBeLessThanOrEqual(canvasWidth)
      for (const other of boxes.slice(index + 1)) {
        const isApart =
          box.right <= other.left ||
          other.right <= box.left ||
          box.bottom <= other.top ||
          other.bottom <= box.top
        expect(isApart, `${box.name} and ${other.name}`).toBe(true)
      }
    }
  })

  it('has wires only to existing nodes', () => {
    const ids = flow.map(({ id }) => id)
    const wired = flow.flatMap(({ wires, links, scope, broker, ...node }) => [
      ...(wires ?? []).flat(),
      ...(links ?? []),
      ...(scope ?? []),
      ...(broker?.startsWith('parlando') ? [broker] : []),
      ...configurations.flatMap((name) => node[name] || []),
    ])
    expect(ids).toEqual(expect.arrayContaining(wired))
  })
})

it('no two examples share an id, so that a user can import all of them', () => {
  const ids = exampleFiles.flatMap(readExample).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

/**
 * The width in the editor, or up to two squares of its grid more: icon, label, port and padding, in whole squares. The
 * button of a node that begins a flow is on its left.
 */
function boxOf({ name, type, x, y }: FlowNode) {
  const label = name || type
  const widths = Array.from(label, (character) => {
    if (/[ ijlftrI1.,:;'|!()-]/.test(character)) return 4.5
    return /[mwMW]/.test(character) ? 12 : 8.8
  })
  const gridSize = 20
  const contents = 57 + widths.reduce((sum, width) => sum + width, 0)
  const width = Math.max(100, gridSize * Math.ceil(contents / gridSize))
  const [left, top] = [x! - width / 2, y! - 15]
  const buttonWidth = type === 'inject' || type === 'parlando-microphone' ? 25 : 0
  return { name: label, left: left - buttonWidth, right: left + width, top, bottom: top + 30 }
}
