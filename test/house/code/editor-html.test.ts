import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../../../packages/node-red-nodes/src', import.meta.url))
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /^editor.*(?<!\.test)\.ts$|\.form\.ts$/.test(file),
)

/** Methods of jQuery and of the editor that read a text as HTML. */
const htmlMethods = /^(append|prepend|after|before|html|replaceWith|notify)$/

/** Whether an expression makes a text of anything but fixed words. */
function isMadeText(node: ts.Expression): boolean {
  if (ts.isTemplateExpression(node)) return true
  if (ts.isBinaryExpression(node)) return isMadeText(node.left) || isMadeText(node.right)
  if (ts.isPropertyAccessExpression(node)) return node.name.text === 'message'
  return ts.isCallExpression(node) && /^\w*[tT]ext$/.test(node.expression.getText())
}

it('no text of a service or a flow is read as HTML in the editor', () => {
  const found: string[] = []
  for (const file of sources) {
    const code = readFileSync(join(folder, file), 'utf8')
    const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true)
    const visit = (node: ts.Node) => {
      ts.forEachChild(node, visit)
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return
      if (!htmlMethods.test(node.expression.name.text)) return
      const made = node.arguments.filter(isMadeText).map((argument) => argument.getText())
      found.push(...made.map((text) => `${file}: ${text}`))
    }
    visit(source)
  }
  expect(sources.length).toBeGreaterThan(40)
  expect(found).toEqual([])
})
