ALTER TABLE `requests` ADD `idempotency_name` text;--> statement-breakpoint
ALTER TABLE `requests` ADD `request_digest` text;--> statement-breakpoint
CREATE INDEX `requests_named` ON `requests` (`at_ms`) WHERE idempotency_name is not null;