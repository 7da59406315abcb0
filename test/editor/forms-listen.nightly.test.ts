import { describeInBrowser } from '@parlando/test-support/editor/browser'
import { invalidNodes } from '@parlando/test-support/editor/canvas'
import { type EditorPage, useEditor } from '@parlando/test-support/editor/editor'
import { closeForm, listedChoices, openForm, openMore } from '@parlando/test-support/editor/forms'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'

const debug = { type: 'debug', z: 'tab', active: false, tosidebar: true, wires: [] }
const ask = {
  id: 'ask',
  type: 'parlando-ask',
  z: 'tab',
  outputs: 4,
  x: 300,
  y: 300,
  wires: [[], [], ['else'], ['nobody']],
}
const listen = {
  id: 'listen',
  type: 'parlando-listen',
  z: 'tab',
  name: '',
  service: '',
  output: 'text',
  sentences: '',
  endOfTurn: 'normal',
  interim: true,
  speech: false,
  busy: 'wait',
  outputs: 2,
  x: 300,
  y: 200,
  wires: [['text'], ['interim']],
}

declare const RED: {
  nodes: {
    node(id: string): { outputs: number }
    getNodeLinks(node: object, type: number): { sourcePort: number; target: { id: string } }[]
  }
}

/** The number of outputs, and the nodes that are wired to each of them. */
const outputsOf = (page: Page, id = 'listen') =>
  page.evaluate((id) => {
    const node = RED.nodes.node(id)
    const wires = RED.nodes
      .getNodeLinks(node, 0)
      .map(({ sourcePort, target }) => `${sourcePort} ${target.id}`)
    return { outputs: node.outputs, wires: wires.sort() }
  }, id)

describeInBrowser('the forms of listen and ask', () => {
  const editor = useEditor([
    { id: 'tab', type: 'tab', label: 'Flow' },
    {
      id: 'hosted',
      type: 'parlando-service',
      location: 'hosted',
      baseUrl: 'http://127.0.0.1:9',
      name: 'Hosted',
    },
    listen,
    { id: 'converse', type: 'parlando-converse', z: 'tab', outputs: 3, x: 300, y: 400, wires: [] },
    ask,
    { ...debug, id: 'else', x: 500, y: 300 },
    { ...debug, id: 'nobody', x: 500, y: 350 },
    { ...debug, id: 'text', x: 500, y: 150 },
    { ...debug, id: 'interim', x: 500, y: 250 },
  ])
  let opened: EditorPage
  let page: Page
  beforeAll(async () => {
    opened = await editor.open()
    page = opened.page
  })

  it('shows the sentences only where they matter, with their number or what is wrong', async () => {
    await openForm(page, 'listen')
    const sentences = page.locator('#node-input-sentences')
    expect(await sentences.isVisible()).toBe(false)
    await page.selectOption('#node-input-output', 'sentences')
    expect(await sentences.isVisible()).toBe(true)
    const note = page.locator('#node-input-sentences-note')
    expect(await note.textContent()).toBe('enter at least one sentence')
    await sentences.fill('turn on the {room} light')
    expect(await note.textContent()).toBe(
      '{room} has no list: add a line such as {room} = one, two',
    )
    await sentences.fill('turn on the {room} light\n{room} = kitchen, hall')
    expect(await note.textContent()).toBe('2 sentences')
  })

  it('adds the output for what was not understood, and keeps each wire at its output', async () => {
    await closeForm(page)
    expect(await outputsOf(page)).toEqual({ outputs: 3, wires: ['0 text', '2 interim'] })
    expect(await invalidNodes(page)).toEqual([])
  })

  it('removes the outputs that are switched off, with their wires', async () => {
    await openForm(page, 'listen')
    await openMore(page)
    await page.uncheck('#node-input-interim')
    await page.check('#node-input-speech')
    await closeForm(page)
    expect(await outputsOf(page)).toEqual({ outputs: 3, wires: ['0 text'] })
    await openForm(page, 'listen')
    await closeForm(page)
    expect(await outputsOf(page)).toEqual({ outputs: 3, wires: ['0 text'] })
  })

  it('of ask keeps each wire at its output, also with answers that are numbers', async () => {
    await openForm(page, 'ask')
    await page.selectOption('#node-input-answers', 'own')
    await page.fill('#node-input-ownAnswers', '1\n2\n3')
    await closeForm(page)
    expect(await outputsOf(page, 'ask')).toEqual({ outputs: 5, wires: ['3 else', '4 nobody'] })
  })

  it('marks a node with a mistake in its sentences', async () => {
    await openForm(page, 'listen')
    await page.fill('#node-input-sentences', 'turn on the {room')
    await closeForm(page)
    expect(await invalidNodes(page)).toEqual(['parlando-listen'])
    await openForm(page, 'listen')
    await page.selectOption('#node-input-output', 'text')
    await closeForm(page)
    expect(await invalidNodes(page)).toEqual([])
    expect(opened.problems).toEqual([])
  })

  it('asks for the silence in milliseconds only if it decides', async () => {
    await openForm(page, 'listen')
    await openMore(page)
    const silence = page.locator('#node-input-silenceMs')
    expect(await silence.isVisible()).toBe(false)
    await page.selectOption('#node-input-endOfTurn', 'silence')
    expect(await silence.isVisible()).toBe(true)
    await closeForm(page, 'cancel')
  })

  describe('for a hosted service', () => {
    let models: object[] | undefined
    const open = async (node = 'listen') => {
      const server = await startTestServer((response) => {
        response.writeHead(models ? 200 : 404).end(JSON.stringify({ models }))
      })
      await openForm(page, node)
      await page.evaluate((baseUrl) => {
        Object.assign(RED.nodes.node('hosted'), { baseUrl })
      }, server.baseUrl)
      await page.selectOption('#node-input-service', 'hosted')
      await openMore(page)
    }
    const note = () => page.locator('.parlando-problem', { hasText: 'sudo apt install' })
    afterEach(() => closeForm(page, 'cancel'))

    it('offers its recognisers', async () => {
      models = [{ modelId: 'sherpa/small', displayName: 'Small', langCodes: ['DE_DE'] }]
      await open()
      await page.click('#node-input-model')
      await page.keyboard.press('ArrowDown')
      await listedChoices(page).first().waitFor()
      expect(await listedChoices(page).allTextContents()).toEqual([
        expect.stringMatching(/Small.*sherpa\/small · German/),
      ])
      await listedChoices(page).first().click()
      expect(await page.inputValue('#node-input-model')).toBe('sherpa/small')
      expect(await note().isVisible()).toBe(false)
    })

    it.each(['listen', 'converse'])(
      'says in %s how to install a recogniser if it has none',
      async (node) => {
        models = []
        await open(node)
        await note().waitFor()
      },
    )

    it('says that it does not list its recognisers', async () => {
      models = undefined
      await open()
      await page.click('#node-input-model')
      await page.keyboard.press('ArrowDown')
      await page.getByText('The service does not list its recognisers').waitFor()
      expect(await note().isVisible()).toBe(false)
    })
  })
})
