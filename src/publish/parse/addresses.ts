// internal
/** Says whether an address may stand in a link: those of the web, of mail, and those without a scheme. */
export function isSafeUrl(url: string): boolean {
  // Browsers skip spaces and control characters before a scheme, and line ends and tabs within it.
  const scheme = /^[\u0000-\u0020]*([A-Za-z][A-Za-z0-9+.-]*):/.exec(url.replace(/[\t\r\n]/g, ""))?.[1]?.toLowerCase();
  return scheme === undefined || ["http", "https", "mailto"].includes(scheme);
}

/** Says whether an address leaves the folder of a document. */
export function isRemoteUrl(url: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(url);
}
