"""The job in Inspect AI: a solver that alternates observations and generations; logs go where Inspect puts them."""

import tempfile

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, get_model
from inspect_ai.scorer import Score, accuracy, scorer
from inspect_ai.solver import solver

from measure import base_url, measure, observation, scenario


@solver
def walk():
    async def solve(state, generate):
        state.messages = [ChatMessageSystem(content=scenario["instructions"])]
        room = 0
        while room < scenario["turns"]:
            state.messages.append(ChatMessageUser(content=observation(room)))
            state = await generate(state, tool_calls="none")
            if not state.output.completion.endswith("next"):
                break
            room += 1
        state.metadata["room"] = room
        return state

    return solve


@scorer(metrics=[accuracy()])
def arrived():
    async def score(state, target):
        return Score(value=1 if state.metadata["room"] == scenario["turns"] else 0)

    return score


def job() -> int:
    episodes = scenario["episodes"]
    task = Task(
        dataset=MemoryDataset([Sample(input=observation(0), id=index) for index in range(episodes)]),
        solver=walk(),
        scorer=arrived(),
    )
    model = get_model(f"openai-api/mock/{scenario['model']}", base_url=base_url, api_key="none")
    with tempfile.TemporaryDirectory() as log_dir:
        [log] = eval(
            task,
            model=model,
            max_samples=episodes,
            max_connections=episodes,
            log_dir=log_dir,
            display="none",
        )
    assert log.status == "success", log.error
    return round(log.results.scores[0].metrics["accuracy"].value * episodes)


if __name__ == "__main__":
    measure(job)
