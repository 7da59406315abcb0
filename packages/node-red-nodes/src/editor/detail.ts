/**
 * Shows a sentence in the language of the editor, and after it one that is English in every language, such as the error of a
 * service.
 */
export function showWithDetail(element: JQuery, words: string, detail = ''): JQuery {
  element.text(words)
  if (detail) element.append(' ', $('<small lang="en"></small>').text(detail))
  return element
}
