/** Of the property extension that says what plain STIX cannot. A random UUID; never changed. */
export const EXTENSION_ID = 'extension-definition--7d1c0a5e-8f3b-4e0c-9a52-6b1f3c9d27e4'
