import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

let nodeRed: NodeRedProcess
beforeAll(async () => {
  const place = { z: 'tab', x: 100, y: 100 }
  const flow = [
    { id: 'tab', type: 'tab', label: 'languages' },
    { ...place, id: 'go', type: 'inject', props: [{ p: 'payload' }], wires: [['say']] },
    { ...place, id: 'say', type: 'parlando-speak', service: 'deleted', wires: [[]] },
  ]
  nodeRed = await startNodeRed(flow, { language: 'zh-CN' })
})
afterAll(() => nodeRed?.close())

it('the nodes use the language of the Node-RED settings', async () => {
  await nodeRed.inject('go')
  await vi.waitFor(() => expect(nodeRed.statuses('say').at(-1)).toBe('服务不存在或已禁用'), 60_000)
})

it.each([
  ['de', 'Kodierung'],
  ['es-ES', 'Codificación'],
  ['fr', 'Encodage'],
  ['ja', '音声形式'],
  ['zh-CN', '编码'],
])('the forms use the language of the browser: %s', async (language, label) => {
  const path = `/locales/@parlando/node-red/parlando-speak?lng=${language}`
  const catalogue = await (await fetch(nodeRed.baseUrl + path)).json()
  expect(catalogue).toMatchObject({ speak: { label: { encoding: label } } })
})

it.each([
  ['de', 'Wandelt Text in Sprache um'],
  ['es-ES', 'Convierte texto en voz'],
  ['fr', 'Convertit du texte en parole'],
  ['ja', 'テキストを読み上げ'],
  ['zh-CN', '朗读文本'],
  ['pt-BR', 'Turns text into speech'],
])('the help uses the language of the browser: %s', async (language, beginning) => {
  const headers = { accept: 'text/html', 'accept-language': language }
  const response = await fetch(`${nodeRed.baseUrl}/nodes`, { headers })
  const [, help] = /data-help-name="parlando-speak">\s*<p>([^<]*)/.exec(await response.text())!
  expect(help).toMatch(new RegExp(`^${beginning}`))
})
