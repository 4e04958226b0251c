/** Valid service names. The name becomes part of the key header: `Acme` gives `X-Acme-Key`. */
export const SERVICE_NAME = /^(?=.{1,64}$)[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/;
