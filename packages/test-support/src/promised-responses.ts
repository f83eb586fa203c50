import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: object;
}

interface OperationObject {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

/** What a coordinator's own `/openapi.json` promises about its answers. */
export class PromisedResponses {
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #checks = new Map<string, ValidateFunction>();

  private constructor(document: Document) {
    this.#document = document;
    this.#ajv.addSchema({ $id: "https://coordinator/", components: document.components });
  }

  /** Anybody may read the document; with a known token also an address that has sent too many requests. */
  static async of(url: string, token?: string): Promise<PromisedResponses> {
    const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    const response = await fetch(`${url}/openapi.json`, { headers });
    if (!response.ok) throw new Error(`GET /openapi.json: ${response.status} ${await response.text()}`);
    return new PromisedResponses((await response.json()) as Document);
  }

  /** Throws when an answer's JSON is not what was promised. */
  check(method: string, path: string, status: number, value: unknown): void {
    const [address = ""] = path.split("?", 1);
    const template = Object.keys(this.#document.paths).find((each) => fits(each, address));
    const isRefusal = status >= 400;
    const operation = template && this.#document.paths[template]?.[method.toLowerCase()];
    if (!operation && !isRefusal) throw new Error(`${method} ${path} is not in the document`);
    if (template === "/openapi.json") return;
    const pointer = isRefusal
      ? "#/components/schemas/Problem"
      : pointerOf(operation as OperationObject, status);
    if (pointer === undefined) throw new Error(`${method} ${path} does not promise a ${status}`);
    const check = this.#checks.get(pointer) ?? this.#ajv.compile({ $ref: `https://coordinator/${pointer}` });
    this.#checks.set(pointer, check);
    if (!check(value)) {
      throw new Error(`${method} ${path} broke its promise: ${this.#ajv.errorsText(check.errors)}`);
    }
  }
}

function pointerOf({ responses }: OperationObject, status: number): string | undefined {
  const content = responses[status]?.content?.["application/json"] as { schema?: { $ref?: string } };
  return content?.schema?.$ref;
}

function fits(template: string, address: string): boolean {
  const pattern = template.replaceAll(/[.]/g, "\\.").replaceAll(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${pattern}$`).test(address);
}
