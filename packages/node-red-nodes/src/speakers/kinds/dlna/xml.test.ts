import { describe, expect, it } from 'vitest'
import { escaped, findAll, readXml, textOf } from './xml.ts'

describe('the XML of a device', () => {
  it('is read with its texts, without prefixes and comments', async () => {
    const xml = await readXml(
      '<s:a xmlns:s="x"><!-- c --><s:b> 1 &lt; 2 </s:b><b><![CDATA[<i>]]></b><c><b/></c></s:a>',
    )
    expect(findAll(xml, 'b').map(({ text }) => text)).toEqual(['1 < 2', '<i>', ''])
    expect(textOf(xml, 'none')).toBe('')
  })

  it.each([
    ['not well-formed', '<a><b></a>'],
    ['not XML', 'HTTP/1.1 400'],
    ['an entity of its own', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'],
    ['nested too deep', '<a>'.repeat(40) + '</a>'.repeat(40)],
    ['of too many elements', `<a>${'<b/>'.repeat(6_000)}</a>`],
  ])('is rejected if it is %s', async (_what, xml) => {
    await expect(readXml(xml)).rejects.toThrow()
  })

  it('contains a text as it is', async () => {
    const text = `<a href="x">'&amp;'</a>`
    expect(textOf(await readXml(`<t>${escaped(text)}</t>`), 't')).toBe(text)
  })
})
