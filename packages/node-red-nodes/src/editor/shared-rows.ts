/** A row that several forms have. */
interface SharedRow {
  icon: string
  attributes?: Record<string, string>
  /** The options of a select: value and key of the text. Default: those in the form. */
  options?: Record<string, string>
}

const rows: Readonly<Record<string, SharedRow>> = {
  name: { icon: 'fa-tag', attributes: { 'data-i18n': `[placeholder]${label('row.name')}` } },
  service: { icon: 'fa-server' },
  speaker: { icon: 'fa-volume-up' },
  output: { icon: 'fa-sign-out' },
  busy: {
    icon: 'fa-hourglass-half',
    options: {
      wait: label('busy.wait'),
      parallel: label('busy.parallel'),
      replace: label('busy.replace'),
    },
  },
}

/**
 * Replaces each field that a form marks with `data-row` by a whole row with icon and label, such as
 * `<select data-row="busy"></select>`. The class of the field moves to the row.
 * Gives each `<details data-more>` its title, and wraps the form in an element for the styles.
 * @param form The HTML of the form's template.
 * @param prefix How the ids of its fields begin: `node-input`, or `node-config-input` for a configuration node.
 */
export function completeRows(form: string, prefix: string): string {
  const template = document.createElement('template')
  template.innerHTML = form
  for (const field of Array.from(template.content.querySelectorAll<HTMLElement>('[data-row]'))) {
    const name = field.dataset['row']!
    const { icon, attributes = {}, options } = rows[name]!
    const id = `${prefix}-${name}`
    const row = $('<div class="form-row"></div>').addClass(field.className).insertBefore(field)
    const caption = $('<span></span>').attr('data-i18n', label(`row.${name}`))
    row.append(
      $('<label></label>').attr('for', id).append(`<i class="fa ${icon}"></i> `, caption),
      // The space that separates label and field in the rows written as HTML.
      ' ',
      $(field)
        .removeAttr('data-row class')
        .attr({ id, ...attributes }),
    )
    if (field instanceof HTMLInputElement) field.setAttribute('type', 'text')
    else field.style.width = '70%'
    for (const [value, key] of Object.entries(options ?? {})) {
      $('<option></option>').attr({ value, 'data-i18n': key }).appendTo(field)
    }
  }
  for (const more of Array.from(template.content.querySelectorAll('[data-more]'))) {
    more.classList.add('parlando-more')
    $('<summary></summary>').attr('data-i18n', label('more')).prependTo(more)
  }
  return `<div class="parlando-form">${template.innerHTML}</div>`
}

/** The key of a text that all forms share. */
function label(key: string): string {
  return `@parlando/node-red/parlando-service:service.editor.${key}`
}
