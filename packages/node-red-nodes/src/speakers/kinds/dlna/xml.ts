/** An element of XML; its name is without the prefix of a namespace. */
export interface Element {
  name: string
  /** The text of the element itself, without surrounding white space. */
  text: string
  children: Element[]
}

const maxDepth = 32
const maxElements = 5_000

/**
 * Reads XML that a device sent.
 * @throws {Error} if it is not well-formed, nested more than 32 levels deep, or has more than 5,000 elements.
 */
export async function readXml(xml: string): Promise<Element> {
  // Only when it is needed: Node-RED loads all nodes at its start.
  const { SaxesParser } = await import('saxes')
  const root: Element = { name: '', text: '', children: [] }
  const open = [root]
  let count = 0
  const parser = new SaxesParser()
  parser.on('opentag', ({ name }) => {
    count += 1
    if (open.length > maxDepth || count > maxElements) throw new Error('The XML is too large')
    const element = { name: name.slice(name.indexOf(':') + 1), text: '', children: [] }
    open.at(-1)!.children.push(element)
    open.push(element)
  })
  const addText = (text: string) => {
    open.at(-1)!.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const element = open.pop()!
    element.text = element.text.trim()
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
  return root
}

/** @returns all elements of a name, in the order of the document, also those within others. */
export function findAll(element: Element, name: string): Element[] {
  return element.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...findAll(child, name),
  ])
}

/** @returns the text of the first element of a name, or an empty text. */
export function textOf(element: Element, name: string): string {
  return findAll(element, name)[0]?.text ?? ''
}

export function escaped(value: string): string {
  return value.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
