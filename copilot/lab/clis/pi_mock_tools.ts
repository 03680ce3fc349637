// Registers the mock tools of a trial; each call goes to the harness, which knows what it gives back.
import { readFileSync } from "node:fs";
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";

export default function mockTools(pi: ExtensionAPI) {
	const { url, tools } = JSON.parse(readFileSync(process.env.CODING_CLI_MOCK_TOOLS!, "utf8"));
	for (const { name, description, inputSchema } of tools) {
		pi.registerTool({
			name,
			label: name,
			description,
			parameters: inputSchema,
			async execute(_id: string, params: unknown) {
				const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: params } };
				const headers = { "content-type": "application/json" };
				const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(call) });
				const { result } = (await answer.json()) as any;
				if (result.isError) throw new Error(result.content.map((part: any) => part.text).join("\n"));
				return { content: result.content, details: result.structuredContent ?? {} };
			},
		});
	}
}
