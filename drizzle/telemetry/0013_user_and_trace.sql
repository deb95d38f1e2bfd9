ALTER TABLE `requests` ADD `user_tag` text;--> statement-breakpoint
ALTER TABLE `requests` ADD `trace_id` text;