/** An object of a bundle as JSON on one line. `members`: what stands after its id. */
export const objectLine = (type: string, id: string, members: string): string =>
  `{"type":"${type}","spec_version":"2.1","id":"${id}",${members}}`
