CREATE TABLE `rollup_steps` (
	`at_ms` integer NOT NULL,
	`chain_id` text NOT NULL,
	`step_id` text NOT NULL,
	`failure` text NOT NULL,
	`requests` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`input_uncached` integer DEFAULT 0 NOT NULL,
	`cache_read` integer DEFAULT 0 NOT NULL,
	`cache_write_5m` integer DEFAULT 0 NOT NULL,
	`cache_write_1h` integer DEFAULT 0 NOT NULL,
	`output` integer DEFAULT 0 NOT NULL,
	`reasoning` integer DEFAULT 0 NOT NULL,
	`cost_nano` integer DEFAULT 0 NOT NULL,
	`cost_unknown` integer DEFAULT 0 NOT NULL,
	`latency` text DEFAULT '' NOT NULL,
	`first_token` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`at_ms`, `chain_id`, `step_id`, `failure`)
);
