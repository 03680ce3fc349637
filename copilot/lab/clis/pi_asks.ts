// Makes pi ask, in its own dialogs: before it writes, before it runs a command, and by a tool for questions.
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";

const REFUSED = { block: true, reason: "The user refused this." };

export default function asks(pi: ExtensionAPI) {
	pi.on("tool_call", async (event, ctx) => {
		if (event.toolName === "write" || event.toolName === "edit") {
			const may = await ctx.ui.confirm("Write file?", String(event.input.path));
			return may ? undefined : REFUSED;
		}
		if (event.toolName === "bash") {
			const title = `Run this command?\n\n  ${event.input.command}\n`;
			const chosen = await ctx.ui.select(title, ["Yes", "Yes, always", "No"]);
			return chosen?.startsWith("Yes") ? undefined : REFUSED;
		}
		return undefined;
	});

	pi.registerTool({
		name: "ask",
		label: "Ask",
		description: "Let the user choose one of several answers.",
		parameters: {
			type: "object",
			properties: { question: { type: "string" }, answers: { type: "array", items: { type: "string" } } },
			required: ["question", "answers"],
		},
		async execute(_id, params, _signal, _onUpdate, ctx) {
			const chosen = await ctx.ui.select(params.question, params.answers);
			const text = chosen ? `The user chose: ${chosen}` : "The user did not choose.";
			return { content: [{ type: "text", text }], details: {} };
		},
	});
}
