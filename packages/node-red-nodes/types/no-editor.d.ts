// The types of Node-RED import those of its editor, which would add the types of the browser.
export {}
