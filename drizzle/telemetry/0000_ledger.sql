CREATE TABLE `attempts` (
	`id` text PRIMARY KEY NOT NULL,
	`request_id` text NOT NULL,
	`position` integer NOT NULL,
	`at_ms` integer NOT NULL,
	`state` text NOT NULL,
	`provider` text NOT NULL,
	`account_id` text,
	`model` text NOT NULL,
	`dialect_out` text NOT NULL,
	`failure` text,
	`detail` text,
	`http` integer,
	`upstream_request_id` text,
	`input_uncached` integer DEFAULT 0 NOT NULL,
	`cache_read` integer DEFAULT 0 NOT NULL,
	`cache_write_5m` integer DEFAULT 0 NOT NULL,
	`cache_write_1h` integer DEFAULT 0 NOT NULL,
	`output` integer DEFAULT 0 NOT NULL,
	`reasoning` integer DEFAULT 0 NOT NULL,
	`audio_in` integer DEFAULT 0 NOT NULL,
	`audio_out` integer DEFAULT 0 NOT NULL,
	`image_in` integer DEFAULT 0 NOT NULL,
	`web_searches` integer DEFAULT 0 NOT NULL,
	`service_tier` text,
	`usage_estimated` integer DEFAULT false NOT NULL,
	`cost_nano` integer DEFAULT 0 NOT NULL,
	`cost_source` text,
	`ms_total` integer,
	`ms_first_token` integer
);
--> statement-breakpoint
CREATE INDEX `attempts_request` ON `attempts` (`request_id`,`position`);--> statement-breakpoint
CREATE INDEX `attempts_unfinished` ON `attempts` (`at_ms`) WHERE state in ('reserved', 'sent');--> statement-breakpoint
CREATE TABLE `key_totals` (
	`key_id` text PRIMARY KEY NOT NULL,
	`requests` integer NOT NULL,
	`cost_nano` integer NOT NULL,
	`last_used_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `requests` (
	`id` text PRIMARY KEY NOT NULL,
	`at_ms` integer NOT NULL,
	`status` text NOT NULL,
	`key_id` text,
	`tags` text NOT NULL,
	`client` text,
	`endpoint` text NOT NULL,
	`dialect_in` text,
	`model_asked` text NOT NULL,
	`stream` integer NOT NULL,
	`facts` text NOT NULL,
	`skills` text NOT NULL,
	`session` text,
	`ip_hash` text,
	`error_class` text,
	`http` integer,
	`provider` text,
	`account_id` text,
	`model_used` text,
	`dialect_out` text,
	`input_uncached` integer DEFAULT 0 NOT NULL,
	`cache_read` integer DEFAULT 0 NOT NULL,
	`cache_write_5m` integer DEFAULT 0 NOT NULL,
	`cache_write_1h` integer DEFAULT 0 NOT NULL,
	`output` integer DEFAULT 0 NOT NULL,
	`reasoning` integer DEFAULT 0 NOT NULL,
	`audio_in` integer DEFAULT 0 NOT NULL,
	`audio_out` integer DEFAULT 0 NOT NULL,
	`image_in` integer DEFAULT 0 NOT NULL,
	`web_searches` integer DEFAULT 0 NOT NULL,
	`service_tier` text,
	`usage_estimated` integer DEFAULT false NOT NULL,
	`cost_nano` integer DEFAULT 0 NOT NULL,
	`cost_source` text,
	`ms_total` integer,
	`ms_first_token` integer,
	`gateway_us` integer,
	`dropped` text DEFAULT '[]' NOT NULL,
	`route` text DEFAULT '[]' NOT NULL,
	`stop_reason` text
);
--> statement-breakpoint
CREATE INDEX `requests_at` ON `requests` (`at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `requests_key` ON `requests` (`key_id`,`at_ms`);--> statement-breakpoint
CREATE INDEX `requests_provider` ON `requests` (`provider`,`at_ms`);--> statement-breakpoint
CREATE INDEX `requests_status` ON `requests` (`status`,`at_ms`);--> statement-breakpoint
CREATE INDEX `requests_model` ON `requests` (`model_used`,`at_ms`);