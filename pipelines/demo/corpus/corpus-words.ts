/** Building blocks of invented names: everyday words, no brands and no malware families that are tracked anywhere. */

/** First and second half of what malware and actors are called here. */
export const COLOURS = [
  ...['Amber', 'Ashen', 'Brass', 'Chalk', 'Cobalt', 'Copper', 'Drift', 'Dusk', 'Ember', 'Flint', 'Frost', 'Glass'],
  ...['Granite', 'Hollow', 'Indigo', 'Ivory', 'Jade', 'Lunar', 'Marble', 'Mist', 'Moss', 'Ochre', 'Onyx', 'Opal'],
  ...['Paper', 'Pewter', 'Quartz', 'Rust', 'Saffron', 'Sable', 'Salt', 'Silt', 'Slate', 'Tallow', 'Umber', 'Velvet'],
] as const
export const CREATURES = [
  ...['Adder', 'Badger', 'Bittern', 'Crane', 'Curlew', 'Dormouse', 'Dunlin', 'Egret', 'Ermine', 'Finch', 'Gannet'],
  ...['Gecko', 'Heron', 'Ibex', 'Jackdaw', 'Kestrel', 'Lamprey', 'Linnet', 'Marten', 'Minnow', 'Newt', 'Otter'],
  ...['Petrel', 'Pipit', 'Plover', 'Quail', 'Rook', 'Shrew', 'Skink', 'Starling', 'Stoat', 'Tern', 'Vole', 'Wren'],
] as const

export const HOSTERS = ['Hosting', 'Transit', 'Cloud', 'Telecom', 'Broadband', 'Fibre', 'Mobile', 'Colocation'] as const
export const PLACES = [
  ...['Alder', 'Birch', 'Cedar', 'Dale', 'Elder', 'Fern', 'Gorse', 'Hazel', 'Juniper', 'Larch', 'Maple', 'Nettle'],
  ...['Oak', 'Poplar', 'Rowan', 'Sedge', 'Thistle', 'Vale', 'Willow', 'Yarrow'],
] as const

/** Building blocks of the names of hosts that imitate trusted ones, and of everyday hosts. */
export const LURES = [
  ...['account', 'billing', 'confirm', 'delivery', 'invoice', 'login', 'office', 'parcel', 'payment', 'portal'],
  ...['refund', 'secure', 'signin', 'support', 'tax', 'update', 'verify', 'voicemail', 'wallet', 'webmail'],
] as const
export const EVERYDAY = [
  ...['bakery', 'bikes', 'books', 'choir', 'clinic', 'garden', 'gallery', 'harbour', 'kitchen', 'library', 'market'],
  ...['museum', 'news', 'orchard', 'parts', 'radio', 'school', 'sports', 'studio', 'tools', 'travel', 'weather'],
] as const
export const SUBDOMAINS = ['www', 'mail', 'cdn', 'api', 'static', 'vpn', 'img', 'm', 'shop', 'status', 'ns1'] as const
export const MAILBOXES = ['info', 'billing', 'hr', 'support', 'noreply', 'accounts', 'office', 'sales'] as const
export const PATHS = [
  ...['login.php', 'index.html', 'invoice.zip', 'verify', 'gate.php', 'update.bin', 'doc/view', 'panel/in'],
  ...['wp-content/plugin.php', 'track', 'download/setup.msi', 'api/v1/ping'],
] as const
export const FILES = ['invoice', 'scan', 'order', 'report', 'setup', 'update', 'resume', 'statement', 'photo'] as const
export const ENDINGS = ['exe', 'dll', 'js', 'docm', 'xlsm', 'iso', 'lnk', 'zip', 'apk', 'bin'] as const
export const MIME_TYPES = ['application/x-dosexec', 'application/zip', 'application/pdf', 'text/javascript'] as const

/** The stated locations of hosts. Which of them lead follows from the seed and means nothing. */
export const COUNTRIES = [
  ...['Argentina', 'Australia', 'Austria', 'Belgium', 'Brazil', 'Bulgaria', 'Canada', 'Chile', 'China', 'Colombia'],
  ...['Czechia', 'Denmark', 'Egypt', 'Estonia', 'Finland', 'France', 'Germany', 'Greece', 'India', 'Indonesia'],
  ...['Ireland', 'Israel', 'Italy', 'Japan', 'Kenya', 'Latvia', 'Lithuania', 'Malaysia', 'Mexico', 'Morocco'],
  ...['Netherlands', 'New Zealand', 'Nigeria', 'Norway', 'Peru', 'Poland', 'Portugal', 'Romania', 'Russia'],
  ...['Singapore', 'South Africa', 'South Korea', 'Spain', 'Sweden', 'Switzerland', 'Thailand', 'Ukraine'],
  ...['United Kingdom', 'United States', 'Vietnam'],
] as const
