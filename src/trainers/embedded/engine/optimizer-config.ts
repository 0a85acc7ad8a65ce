/** How weights move; every field is part of a checkpoint. */
export interface OptimizerConfig {
  /** Decay of the mean of gradients. */
  readonly beta1: number;
  /** Decay of the mean of squared gradients. */
  readonly beta2: number;
  readonly epsilon: number;
  /** Share of the learning rate by which matrices shrink; gains and biases do not. */
  readonly weightDecay: number;
  /** Gradients longer than this are scaled down to it. */
  readonly maxGradNorm: number;
}
