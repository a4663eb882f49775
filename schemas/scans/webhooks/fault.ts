/** What is wrong with a webhook (400): the parameter at fault and a message that names it. */
export type WebhookFault = { ok: false; param: string; message: string }

export const fault = (param: string, what: string): WebhookFault => ({ ok: false, param, message: `${param} ${what}` })
