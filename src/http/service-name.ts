/** Matches valid service names. The name is part of the key header: `Acme` gives `X-Acme-Key`. */
export const SERVICE_NAME_PATTERN = /^(?=.{1,64}$)[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/;
