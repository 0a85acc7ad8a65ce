"""The job in verifiers: a MultiTurnEnv of the newest release that plays multi-turn environments in its own process."""

import asyncio
import logging
import os

os.environ["TQDM_DISABLE"] = "1"

import verifiers.legacy as vf
from datasets import Dataset
from verifiers.legacy.types import ClientConfig

from measure import base_url, measure, observation, scenario

logging.disable(logging.INFO)


class Walk(vf.MultiTurnEnv):
    @vf.stop
    async def has_arrived(self, state) -> bool:
        return len(state["trajectory"]) >= scenario["turns"]

    async def env_response(self, messages, state, **kwargs):
        return [vf.UserMessage(content=observation(len(state["trajectory"])))]


async def arrived(state) -> float:
    last = state["trajectory"][-1]["completion"][-1]
    return float(len(state["trajectory"]) == scenario["turns"] and str(last.content).endswith("next"))


async def play() -> int:
    episodes = scenario["episodes"]
    rows = [{"question": observation(0), "answer": ""} for _ in range(episodes)]
    env = Walk(
        eval_dataset=Dataset.from_list(rows),
        system_prompt=scenario["instructions"],
        rubric=vf.Rubric(funcs=[arrived]),
        max_turns=scenario["turns"],
    )
    client = ClientConfig(
        client_type="openai_chat_completions",
        api_base_url=base_url,
        api_key_var="OPENAI_API_KEY",
        max_connections=episodes,
        max_keepalive_connections=episodes,
    )
    results = await env.evaluate(
        client=client,
        model=scenario["model"],
        num_examples=episodes,
        rollouts_per_example=1,
        max_concurrent=episodes,
        save_results=False,
    )
    return sum(1 for output in results["outputs"] if output["reward"] == 1.0)


if __name__ == "__main__":
    measure(lambda: asyncio.run(play()))
